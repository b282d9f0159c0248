-- outside a transaction
-- A run that is cut begins again with its first statement, so each of them does nothing where it has been done.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_underived" ON "stories" USING btree ("id") WHERE "words" IS NULL OR "minutes" IS NULL;
--> statement-breakpoint
-- until no row is left
-- Whoever changes an item meanwhile is passed by.
UPDATE "stories" SET
	"words" = nocturne_words(title, description, excerpt, tags, content),
	"minutes" = nocturne_minutes(duration, audio_duration_seconds)
WHERE ctid = ANY (ARRAY (
	SELECT ctid FROM "stories" WHERE "words" IS NULL OR "minutes" IS NULL
	ORDER BY "id" LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED));
--> statement-breakpoint
-- allowed: the few that were passed by
UPDATE "stories" SET
	"words" = nocturne_words(title, description, excerpt, tags, content),
	"minutes" = nocturne_minutes(duration, audio_duration_seconds)
WHERE "words" IS NULL OR "minutes" IS NULL;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "stories_underived";
--> statement-breakpoint
ALTER TABLE "stories" DROP CONSTRAINT IF EXISTS "stories_derived";
--> statement-breakpoint
ALTER TABLE "stories" ADD CONSTRAINT "stories_derived" CHECK ("words" IS NOT NULL AND "minutes" IS NOT NULL) NOT VALID;
--> statement-breakpoint
ALTER TABLE "stories" VALIDATE CONSTRAINT "stories_derived";
--> statement-breakpoint
-- allowed: the constraint has been validated, so nothing is read
ALTER TABLE "stories" ALTER COLUMN "words" SET NOT NULL, ALTER COLUMN "minutes" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "stories" DROP CONSTRAINT "stories_derived";
--> statement-breakpoint
ALTER TABLE "item_days" VALIDATE CONSTRAINT "item_days_story_id_stories_id_fk";
--> statement-breakpoint
ALTER TABLE "item_totals" VALIDATE CONSTRAINT "item_totals_story_id_stories_id_fk";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "stories_duration";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_minutes" ON "stories" USING btree ("type","minutes","id") WHERE status = 'published' and source = 'pre_uploaded';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_bin" ON "stories" USING btree ("removed_at") WHERE removed_by_import is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_held" ON "stories" USING btree ("id") WHERE status = 'held';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "import_changes_story" ON "import_changes" USING btree ("story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "playback_sessions_played" ON "playback_sessions" USING btree ("created_at","story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "story_feedback_created" ON "story_feedback" USING btree ("created_at","story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "story_feedback_words" ON "story_feedback" USING btree ("created_at","id") WHERE coalesce(comments, '') <> '' or cardinality(tags) > 0;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "votes_created" ON "votes" USING btree ("created_at","story_id","vote_type");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "votes_created_before";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "analytics_reach_counts" ON "analytics_reach" USING btree ("scope","last_day","visitors");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "daily_aggregates_sums" ON "daily_aggregates" USING btree ("date","content_id","total_views","total_time_ms","completed_25","completed_50","completed_75","completed_100");
