-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "analytics_links_user" ON "analytics_links" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "challenge_enrolments_user" ON "challenge_enrolments" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "challenge_flows_story" ON "challenge_flows" USING btree ("story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "favorites_story" ON "favorites" USING btree ("story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "content_progress_content" ON "content_progress" USING btree ("content_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "content_progress_user" ON "content_progress" USING btree ("user_id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "device_positions_content" ON "device_positions" USING btree ("content_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "playback_meters_story" ON "playback_meters" USING btree ("story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "playback_sessions_user" ON "playback_sessions" USING btree ("user_id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "drafts_template" ON "drafts" USING btree ("template_id") WHERE template_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "narrations_story" ON "narrations" USING btree ("story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "openings_story" ON "openings" USING btree ("story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_minutes_all" ON "stories" USING btree ("minutes","id") WHERE status = 'published' and source = 'pre_uploaded';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "story_feedback_user" ON "story_feedback" USING btree ("user_id") WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "votes_user" ON "votes" USING btree ("user_id");
