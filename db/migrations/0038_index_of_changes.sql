-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stories_updated" ON "stories" USING btree ("updated_at","id") WHERE source = 'pre_uploaded';