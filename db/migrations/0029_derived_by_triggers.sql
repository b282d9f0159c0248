-- Columns that hang on others of their row are written by triggers, not generated: to add a generated column, or to
-- change one, rewrites the whole table under a lock that stops every reader.
ALTER TABLE "stories"
	ALTER COLUMN "words" DROP EXPRESSION IF EXISTS,
	ALTER COLUMN "minutes" DROP EXPRESSION IF EXISTS;
--> statement-breakpoint
ALTER TABLE "stories" ALTER COLUMN "words" SET DEFAULT '{}', ALTER COLUMN "minutes" SET DEFAULT 15;
--> statement-breakpoint
CREATE FUNCTION nocturne_minutes(duration integer, audio_duration_seconds double precision) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN audio_duration_seconds IS NULL THEN duration ELSE greatest(1, round((audio_duration_seconds / 60)::numeric))::int END;
--> statement-breakpoint
CREATE FUNCTION nocturne_derive_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.words := nocturne_words(NEW.title, NEW.description, NEW.excerpt, NEW.tags, NEW.content);
	NEW.minutes := nocturne_minutes(NEW.duration, NEW.audio_duration_seconds);
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER stories_derive BEFORE INSERT ON "stories" FOR EACH ROW EXECUTE FUNCTION nocturne_derive_item();
--> statement-breakpoint
-- Of a change after the row, not before it: with a BEFORE UPDATE trigger every update of a story makes its search
-- words anew.
CREATE FUNCTION nocturne_derive_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE stories SET words = derived.words
	FROM (SELECT nocturne_words(NEW.title, NEW.description, NEW.excerpt, NEW.tags, NEW.content) AS words) AS derived
	WHERE id = NEW.id AND stories.words IS DISTINCT FROM derived.words;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stories_derive_words AFTER UPDATE OF title, description, excerpt, tags, content ON "stories"
FOR EACH ROW EXECUTE FUNCTION nocturne_derive_words();
--> statement-breakpoint
CREATE FUNCTION nocturne_derive_minutes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE stories SET minutes = nocturne_minutes(NEW.duration, NEW.audio_duration_seconds)
	WHERE id = NEW.id AND minutes IS DISTINCT FROM nocturne_minutes(NEW.duration, NEW.audio_duration_seconds);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stories_derive_minutes AFTER UPDATE OF duration, audio_duration_seconds ON "stories"
FOR EACH ROW EXECUTE FUNCTION nocturne_derive_minutes();
