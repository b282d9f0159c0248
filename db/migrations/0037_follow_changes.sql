CREATE TABLE "idempotent_calls" (
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"user_id" uuid,
	"fingerprint" text NOT NULL,
	"status" integer,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotent_calls_caller_key_pk" PRIMARY KEY("caller","key")
);
--> statement-breakpoint
CREATE TABLE "removals" (
	"kind" text NOT NULL,
	"id" uuid NOT NULL,
	"removed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "removals_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
ALTER TABLE "idempotent_calls" ADD CONSTRAINT "idempotent_calls_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotent_calls_user" ON "idempotent_calls" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idempotent_calls_created" ON "idempotent_calls" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "removals_list" ON "removals" USING btree ("kind","removed_at","id");--> statement-breakpoint
CREATE INDEX "removals_time" ON "removals" USING btree ("removed_at");--> statement-breakpoint
-- Written by hand: whatever statement takes something off a list, the removal is noted here, and taken back when it
-- is listed again.
CREATE FUNCTION nocturne_note_removal(list text, gone uuid) RETURNS void LANGUAGE sql AS $$
	INSERT INTO removals (kind, id, removed_at) VALUES (list, gone, clock_timestamp())
	ON CONFLICT (kind, id) DO UPDATE SET removed_at = excluded.removed_at
$$;--> statement-breakpoint
CREATE FUNCTION nocturne_note_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.status = 'published' THEN PERFORM nocturne_note_removal('published', OLD.id); END IF;
	IF NEW.status = 'published' THEN DELETE FROM removals WHERE kind = 'published' AND id = NEW.id; END IF;
	IF NEW.status = 'removed' THEN PERFORM nocturne_note_removal('library', OLD.id); END IF;
	IF OLD.status = 'removed' THEN DELETE FROM removals WHERE kind = 'library' AND id = NEW.id; END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER stories_note_status AFTER UPDATE OF status ON "stories"
FOR EACH ROW WHEN (OLD.source = 'pre_uploaded' AND OLD.status <> NEW.status) EXECUTE FUNCTION nocturne_note_status();--> statement-breakpoint
CREATE FUNCTION nocturne_note_deleted_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.status = 'published' THEN PERFORM nocturne_note_removal('published', OLD.id); END IF;
	IF OLD.status <> 'removed' THEN PERFORM nocturne_note_removal('library', OLD.id); END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER stories_note_deleted AFTER DELETE ON "stories"
FOR EACH ROW WHEN (OLD.source = 'pre_uploaded') EXECUTE FUNCTION nocturne_note_deleted_item();--> statement-breakpoint
CREATE FUNCTION nocturne_note_challenge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.published_at IS NULL THEN
		PERFORM nocturne_note_removal('published_challenge', OLD.id);
	ELSE
		DELETE FROM removals WHERE kind = 'published_challenge' AND id = NEW.id;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER challenges_note_published AFTER UPDATE OF published_at ON "challenges"
FOR EACH ROW WHEN ((OLD.published_at IS NULL) <> (NEW.published_at IS NULL)) EXECUTE FUNCTION nocturne_note_challenge();--> statement-breakpoint
CREATE FUNCTION nocturne_note_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM nocturne_note_removal(TG_ARGV[0], OLD.id);
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER challenges_note_deleted AFTER DELETE ON "challenges"
FOR EACH ROW EXECUTE FUNCTION nocturne_note_deleted('challenge');--> statement-breakpoint
CREATE TRIGGER challenges_note_deleted_published AFTER DELETE ON "challenges"
FOR EACH ROW WHEN (OLD.published_at IS NOT NULL) EXECUTE FUNCTION nocturne_note_deleted('published_challenge');--> statement-breakpoint
CREATE TRIGGER content_guidelines_note_deleted AFTER DELETE ON "content_guidelines"
FOR EACH ROW EXECUTE FUNCTION nocturne_note_deleted('guideline');--> statement-breakpoint
CREATE TRIGGER training_examples_note_deleted AFTER DELETE ON "training_examples"
FOR EACH ROW EXECUTE FUNCTION nocturne_note_deleted('example');
