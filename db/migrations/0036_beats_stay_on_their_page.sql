-- outside a transaction
-- A position is written every ten seconds by everybody who listens: without an index on its time, and with room on its
-- page, no index is written with it (HOT). A person's few positions are sorted where they are listed.
DROP INDEX CONCURRENTLY IF EXISTS "content_progress_recent";
--> statement-breakpoint
ALTER TABLE "content_progress" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "device_positions" SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE "playback_meters" SET (fillfactor = 80);
