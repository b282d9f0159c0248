-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_categories_story" ON "stories" USING gin ("categories") WHERE status = 'published' and source = 'pre_uploaded' and type = 'story';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_categories_flow" ON "stories" USING gin ("categories") WHERE status = 'published' and source = 'pre_uploaded' and type = 'flow';
