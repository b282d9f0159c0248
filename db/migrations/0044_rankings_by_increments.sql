CREATE TABLE "trending_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trending_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"story_id" uuid NOT NULL,
	"timeframe" text
);
--> statement-breakpoint
CREATE TABLE "trending_items" (
	"timeframe" text NOT NULL,
	"story_id" uuid NOT NULL,
	"type" text NOT NULL,
	"is_ageing" boolean NOT NULL,
	"ageing_changes_at" timestamp with time zone,
	"key" double precision NOT NULL,
	"quality" double precision NOT NULL,
	"vote_bound" double precision NOT NULL,
	"bayesian_rating" double precision NOT NULL,
	"views" integer NOT NULL,
	"late_views" integer NOT NULL,
	"upvotes" integer NOT NULL,
	"ratings" integer NOT NULL,
	"rating_sum" bigint NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trending_items_timeframe_story_id_pk" PRIMARY KEY("timeframe","story_id")
);
--> statement-breakpoint
CREATE TABLE "trending_windows" (
	"timeframe" text PRIMARY KEY NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"late_at" timestamp with time zone NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"items" integer DEFAULT 0 NOT NULL,
	"scored" integer DEFAULT 0 NOT NULL,
	"views" bigint DEFAULT 0 NOT NULL,
	"upvotes" bigint DEFAULT 0 NOT NULL,
	"ratings" bigint DEFAULT 0 NOT NULL,
	"rating_sum" bigint DEFAULT 0 NOT NULL,
	"mean_rating" double precision NOT NULL,
	"last_hot" uuid,
	"last_hot_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "trending_items_score" ON "trending_items" USING btree ("timeframe","type","is_ageing","key","quality","views","published_at","story_id");--> statement-breakpoint
CREATE INDEX "trending_items_rated" ON "trending_items" USING btree ("timeframe","type","is_ageing","bayesian_rating","ratings","key","quality","views","published_at","story_id") WHERE ratings > 0;--> statement-breakpoint
CREATE INDEX "trending_items_views" ON "trending_items" USING btree ("timeframe","type","is_ageing","views","key","quality","published_at","story_id");--> statement-breakpoint
CREATE INDEX "trending_items_ageing" ON "trending_items" USING btree ("ageing_changes_at") WHERE ageing_changes_at is not null;
--> statement-breakpoint
INSERT INTO "trending_windows" (timeframe, from_at, late_at, as_of, mean_rating, last_hot_at)
SELECT timeframe, now(), now(), now(), 3, now() FROM unnest(ARRAY['24h', '7d', '30d', 'all']) AS timeframe;
--> statement-breakpoint
-- Written by hand: whatever changes what an item is ranked by is noted, in its own transaction, by older programs too.
-- Votes and status are the item's own columns; views and ratings change a day's sums.
CREATE FUNCTION nocturne_note_trending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO trending_changes (story_id) SELECT DISTINCT story_id FROM changed;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER item_days_added_trending AFTER INSERT ON "item_days"
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION nocturne_note_trending();
--> statement-breakpoint
CREATE TRIGGER item_days_changed_trending AFTER UPDATE ON "item_days"
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION nocturne_note_trending();
--> statement-breakpoint
CREATE FUNCTION nocturne_note_trending_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO trending_changes (story_id) VALUES (OLD.id);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stories_changed_trending AFTER UPDATE OF status, source, type, published_at, upvotes, downvotes ON "stories"
FOR EACH ROW WHEN ((OLD.status, OLD.source, OLD.type, OLD.published_at, OLD.upvotes, OLD.downvotes)
	IS DISTINCT FROM (NEW.status, NEW.source, NEW.type, NEW.published_at, NEW.upvotes, NEW.downvotes))
EXECUTE FUNCTION nocturne_note_trending_item();
--> statement-breakpoint
CREATE TRIGGER stories_deleted_trending AFTER DELETE ON "stories"
FOR EACH ROW WHEN (OLD.status = 'published' AND OLD.source = 'pre_uploaded') EXECUTE FUNCTION nocturne_note_trending_item();
