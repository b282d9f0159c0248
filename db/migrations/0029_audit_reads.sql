CREATE INDEX "audit_items_item" ON "audit_items" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor","id");--> statement-breakpoint
UPDATE "audit_log" SET "subject_type" = CASE WHEN "action" IN ('set', 'reset') THEN 'feature flag' ELSE 'report' END WHERE "subject_type" = 'flag';
