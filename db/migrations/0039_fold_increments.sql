CREATE TABLE "analytics_arrivals" (
	"id" uuid NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	"anon_id" text NOT NULL,
	"user_id" uuid,
	"session_id" text,
	"event_type" text NOT NULL,
	"content_id" uuid,
	"position_sec" double precision,
	"total_sec" double precision,
	"search" jsonb
);
--> statement-breakpoint
CREATE TABLE "analytics_sittings" (
	"day" date NOT NULL,
	"visitor" text NOT NULL,
	"category" text NOT NULL,
	"session_id" text NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "analytics_sittings_day_visitor_category_session_id_pk" PRIMARY KEY("day","visitor","category","session_id")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "analytics_sittings_default" PARTITION OF "analytics_sittings" DEFAULT;
--> statement-breakpoint
CREATE TABLE "analytics_visits" (
	"day" date NOT NULL,
	"visitor" text NOT NULL,
	"content_id" uuid NOT NULL,
	"content_type" text NOT NULL,
	"categories" text[] NOT NULL,
	"is_view" boolean NOT NULL,
	"was_heard" boolean NOT NULL,
	"was_read" boolean NOT NULL,
	"is_complete" boolean NOT NULL,
	"fraction" double precision NOT NULL,
	"time_ms" bigint NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"last_type" text NOT NULL,
	CONSTRAINT "analytics_visits_day_visitor_content_id_pk" PRIMARY KEY("day","visitor","content_id")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "analytics_visits_default" PARTITION OF "analytics_visits" DEFAULT;
--> statement-breakpoint
ALTER TABLE "daily_aggregates" ADD COLUMN "bounces" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The months around now; the program makes the next ones ahead of time (src/analytics/partitions.ts).
DO $$
DECLARE
  month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['analytics_sittings', 'analytics_visits'] LOOP
    -- From the month before: the days that are folded anew may begin in it.
    FOR i IN -1..2 LOOP
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 70)',
        parent || '_' || to_char(month + make_interval(months => i), 'YYYY_MM'), parent,
        (month + make_interval(months => i))::date, (month + make_interval(months => i + 1))::date
      );
    END LOOP;
  END LOOP;
END $$;
--> statement-breakpoint
-- A trigger, so that the events of an older program that still runs arrive too.
CREATE FUNCTION nocturne_announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO analytics_arrivals (id, timestamp, anon_id, user_id, session_id, event_type, content_id, position_sec, total_sec, search)
	SELECT id, timestamp, anon_id, user_id, session_id, event_type,
		CASE WHEN content_type IN ('story', 'flow') THEN content_id::uuid END, position_sec, total_sec,
		CASE WHEN event_type = 'search_performed' THEN meta END
	FROM added;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER analytics_events_added AFTER INSERT ON analytics_events
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION nocturne_announce_events();
--> statement-breakpoint
-- Days that events may still reach are folded anew by the next fold: of their visitors nothing is known yet.
INSERT INTO analytics_watermarks (name, received_at)
SELECT 'rollup', now() WHERE EXISTS (SELECT FROM analytics_events)
ON CONFLICT (name) DO NOTHING;
