-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_in_motion" ON "jobs" USING btree ("state","run_after","id") WHERE state in ('queued', 'running');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_finished" ON "jobs" USING btree ("finished_at") WHERE finished_at is not null;