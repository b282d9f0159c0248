-- Counts an opening on the free-reading meter (src/story/meter.ts) and returns how many stories are left after it; null
-- where the story stays closed. In a function each statement sees what was committed before it, so the count is right
-- behind the lock, in one exchange.
CREATE FUNCTION nocturne_open_story(reader text, story uuid, allowed double precision, days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	has_opened boolean;
	others integer;
BEGIN
	-- Two tabs opening two stories at once are counted one after the other.
	PERFORM pg_advisory_xact_lock(hashtextextended(reader, 7));
	SELECT coalesce(bool_or(story_id = story), false), count(*) FILTER (WHERE story_id <> story)
	INTO has_opened, others
	FROM openings WHERE reader_id = reader AND opened_at > now() - make_interval(days => days);
	IF NOT has_opened THEN
		IF others >= allowed THEN
			RETURN NULL;
		END IF;
		INSERT INTO openings (reader_id, story_id) VALUES (reader, story)
		ON CONFLICT (reader_id, story_id) DO UPDATE SET opened_at = now();
	END IF;
	RETURN greatest(0, allowed - others - 1);
END $$;
