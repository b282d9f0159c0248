CREATE TABLE "item_days" (
	"day" date NOT NULL,
	"story_id" uuid NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"upvotes" integer DEFAULT 0 NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "item_days_day_story_id_pk" PRIMARY KEY("day","story_id")
);
--> statement-breakpoint
CREATE TABLE "item_totals" (
	"story_id" uuid PRIMARY KEY NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"rating_sum" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- allowed: whoever votes or plays waits until the sums below are counted; all tables at once, so that nobody
-- holds one of them while the migration waits for it
LOCK TABLE "stories", "playback_sessions", "votes", "story_feedback" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
-- Its successor has the same name and is made while everybody works (0030).
ALTER INDEX IF EXISTS "votes_created" RENAME TO "votes_created_before";--> statement-breakpoint
-- Sums are kept by triggers: a member who is deleted takes votes and ratings along by foreign keys, and no
-- program has to remember what hangs on them. They run once a statement, over all rows that it changed.
CREATE FUNCTION nocturne_sum_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO item_days AS sums (day, story_id, views)
		SELECT day, story_id, count(*) FROM added GROUP BY 1, 2 ORDER BY 2, 1
		ON CONFLICT (day, story_id) DO UPDATE SET views = sums.views + excluded.views;
		INSERT INTO item_totals AS sums (story_id, views)
		SELECT story_id, count(*) FROM added GROUP BY 1 ORDER BY 1
		ON CONFLICT (story_id) DO UPDATE SET views = sums.views + excluded.views;
	ELSE
		UPDATE item_days AS sums SET views = sums.views - gone.views
		FROM (SELECT day, story_id, count(*) AS views FROM taken GROUP BY 1, 2) AS gone
		WHERE sums.day = gone.day AND sums.story_id = gone.story_id;
		UPDATE item_totals AS sums SET views = sums.views - gone.views
		FROM (SELECT story_id, count(*) AS views FROM taken GROUP BY 1) AS gone
		WHERE sums.story_id = gone.story_id;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER playback_sessions_added AFTER INSERT ON playback_sessions
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_views();
--> statement-breakpoint
CREATE TRIGGER playback_sessions_taken AFTER DELETE ON playback_sessions
REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_views();
--> statement-breakpoint
-- What is taken goes before what is added comes; the items are locked in one order, so that two who are
-- deleted at once do not wait for each other.
CREATE FUNCTION nocturne_sum_votes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		PERFORM 1 FROM stories WHERE id IN (SELECT story_id FROM taken) ORDER BY id FOR NO KEY UPDATE;
		UPDATE stories SET upvotes = upvotes - gone.up, downvotes = downvotes - gone.down
		FROM (SELECT story_id, count(*) FILTER (WHERE vote_type = 'up') AS up, count(*) FILTER (WHERE vote_type = 'down') AS down
			FROM taken GROUP BY 1) AS gone
		WHERE stories.id = gone.story_id;
		UPDATE item_days AS sums SET upvotes = sums.upvotes - gone.up
		FROM (SELECT (created_at AT TIME ZONE 'UTC')::date AS day, story_id, count(*) AS up
			FROM taken WHERE vote_type = 'up' GROUP BY 1, 2) AS gone
		WHERE sums.day = gone.day AND sums.story_id = gone.story_id;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		UPDATE stories SET upvotes = upvotes + come.up, downvotes = downvotes + come.down
		FROM (SELECT story_id, count(*) FILTER (WHERE vote_type = 'up') AS up, count(*) FILTER (WHERE vote_type = 'down') AS down
			FROM added GROUP BY 1) AS come
		WHERE stories.id = come.story_id;
		INSERT INTO item_days AS sums (day, story_id, upvotes)
		SELECT (created_at AT TIME ZONE 'UTC')::date, story_id, count(*)
		FROM added WHERE vote_type = 'up' GROUP BY 1, 2 ORDER BY 2, 1
		ON CONFLICT (day, story_id) DO UPDATE SET upvotes = sums.upvotes + excluded.upvotes;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER votes_added AFTER INSERT ON votes
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_votes();
--> statement-breakpoint
CREATE TRIGGER votes_changed AFTER UPDATE ON votes
REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_votes();
--> statement-breakpoint
CREATE TRIGGER votes_taken AFTER DELETE ON votes
REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_votes();
--> statement-breakpoint
CREATE FUNCTION nocturne_sum_ratings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		UPDATE item_totals AS sums SET ratings = sums.ratings - gone.ratings, rating_sum = sums.rating_sum - gone.total
		FROM (SELECT story_id, count(rating) AS ratings, coalesce(sum(rating), 0) AS total FROM taken GROUP BY 1) AS gone
		WHERE sums.story_id = gone.story_id;
		UPDATE item_days AS sums SET ratings = sums.ratings - gone.ratings
		FROM (SELECT (created_at AT TIME ZONE 'UTC')::date AS day, story_id, count(rating) AS ratings FROM taken GROUP BY 1, 2) AS gone
		WHERE sums.day = gone.day AND sums.story_id = gone.story_id;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO item_totals AS sums (story_id, ratings, rating_sum)
		SELECT story_id, count(rating), sum(rating) FROM added WHERE rating IS NOT NULL GROUP BY 1 ORDER BY 1
		ON CONFLICT (story_id) DO UPDATE SET ratings = sums.ratings + excluded.ratings, rating_sum = sums.rating_sum + excluded.rating_sum;
		INSERT INTO item_days AS sums (day, story_id, ratings)
		SELECT (created_at AT TIME ZONE 'UTC')::date, story_id, count(rating)
		FROM added WHERE rating IS NOT NULL GROUP BY 1, 2 ORDER BY 2, 1
		ON CONFLICT (day, story_id) DO UPDATE SET ratings = sums.ratings + excluded.ratings;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER story_feedback_added AFTER INSERT ON story_feedback
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_ratings();
--> statement-breakpoint
CREATE TRIGGER story_feedback_changed AFTER UPDATE ON story_feedback
REFERENCING OLD TABLE AS taken NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_ratings();
--> statement-breakpoint
CREATE TRIGGER story_feedback_taken AFTER DELETE ON story_feedback
REFERENCING OLD TABLE AS taken FOR EACH STATEMENT EXECUTE FUNCTION nocturne_sum_ratings();
--> statement-breakpoint
-- What was there before. The sums of a million rows need room, or they are sorted on the disk.
SET LOCAL work_mem = '128MB';
--> statement-breakpoint
INSERT INTO item_days (day, story_id, views, upvotes, ratings)
SELECT day, story_id, sum(views), sum(upvotes), sum(ratings) FROM (
	SELECT day, story_id, 1 AS views, 0 AS upvotes, 0 AS ratings FROM playback_sessions
	UNION ALL SELECT (created_at AT TIME ZONE 'UTC')::date, story_id, 0, 1, 0 FROM votes WHERE vote_type = 'up'
	UNION ALL SELECT (created_at AT TIME ZONE 'UTC')::date, story_id, 0, 0, 1 FROM story_feedback WHERE rating IS NOT NULL
) AS rows GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO item_totals (story_id, views, ratings, rating_sum)
SELECT story_id, sum(views), sum(ratings), sum(rating) FROM (
	SELECT story_id, 1 AS views, 0 AS ratings, 0 AS rating FROM playback_sessions
	UNION ALL SELECT story_id, 0, 1, rating FROM story_feedback WHERE rating IS NOT NULL
) AS rows GROUP BY 1;
--> statement-breakpoint
-- allowed: only items whose numbers were wrong
UPDATE stories SET upvotes = sums.up, downvotes = sums.down
FROM (SELECT stories.id, count(*) FILTER (WHERE vote_type = 'up') AS up, count(*) FILTER (WHERE vote_type = 'down') AS down
	FROM stories LEFT JOIN votes ON votes.story_id = stories.id GROUP BY 1) AS sums
WHERE stories.id = sums.id AND (stories.upvotes, stories.downvotes) IS DISTINCT FROM (sums.up, sums.down);
--> statement-breakpoint
CREATE INDEX "item_days_story" ON "item_days" USING btree ("story_id");--> statement-breakpoint
-- After the rows, and validated by 0030: to look each of them up took more than half of the time in which others wait.
ALTER TABLE "item_days" ADD CONSTRAINT "item_days_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "item_totals" ADD CONSTRAINT "item_totals_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action NOT VALID;
