-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "favorites_newest" ON "favorites" USING btree ("user_id","created_at","story_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_by_id" ON "stories" USING hash ("id");
