-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_updated" ON "users" USING btree ("updated_at","id");