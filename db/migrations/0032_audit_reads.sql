-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_items_item" ON "audit_items" USING btree ("item_id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_actor" ON "audit_log" USING btree ("actor","id");
--> statement-breakpoint
-- allowed: decisions about reports and switches are few
UPDATE "audit_log" SET "subject_type" = CASE WHEN "action" IN ('set', 'reset') THEN 'feature flag' ELSE 'report' END WHERE "subject_type" = 'flag';
