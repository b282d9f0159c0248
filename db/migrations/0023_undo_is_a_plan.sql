CREATE TABLE "audit_items" (
	"change_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"item_id" uuid NOT NULL,
	"title" text NOT NULL,
	"verdict" text NOT NULL,
	"fields" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "audit_items_change_id_place_pk" PRIMARY KEY("change_id","place")
);
--> statement-breakpoint
ALTER TABLE "import_changes" ADD COLUMN "after" jsonb;--> statement-breakpoint
ALTER TABLE "stories" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stories" ADD COLUMN "removed_from" text;--> statement-breakpoint
ALTER TABLE "stories" ADD COLUMN "removed_by_import" uuid;--> statement-breakpoint
ALTER TABLE "audit_items" ADD CONSTRAINT "audit_items_change_id_audit_log_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."audit_log"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Written by hand: whoever removes an item or brings it back, by whatever statement, the time is kept and cleared here.
-- After the row, not before it: with a BEFORE UPDATE trigger every update of a story makes its search words anew.
CREATE FUNCTION nocturne_keep_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.status = 'removed' THEN
		UPDATE stories SET removed_at = now() WHERE id = NEW.id;
	ELSE
		UPDATE stories SET removed_at = NULL, removed_from = NULL, removed_by_import = NULL WHERE id = NEW.id;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER stories_keep_removal AFTER INSERT OR UPDATE OF status ON "stories"
FOR EACH ROW WHEN ((NEW.status = 'removed') <> (NEW.removed_at IS NOT NULL)) EXECUTE FUNCTION nocturne_keep_removal();--> statement-breakpoint
-- The nearest that is known of what was removed before.
-- allowed: only removed items, of which there are few
UPDATE "stories" SET "removed_at" = "updated_at" WHERE "status" = 'removed';
