CREATE TABLE "analytics_day_events" (
	"day" date NOT NULL,
	"category" text NOT NULL,
	"event_type" text NOT NULL,
	"events" integer NOT NULL,
	CONSTRAINT "analytics_day_events_category_day_event_type_pk" PRIMARY KEY("category","day","event_type")
);
--> statement-breakpoint
CREATE TABLE "analytics_day_searches" (
	"day" date NOT NULL,
	"query" text NOT NULL,
	"searches" integer NOT NULL,
	"without_result" integer NOT NULL,
	CONSTRAINT "analytics_day_searches_day_query_pk" PRIMARY KEY("day","query")
);
--> statement-breakpoint
CREATE TABLE "analytics_days" (
	"day" date NOT NULL,
	"category" text NOT NULL,
	"events" integer NOT NULL,
	"visitors" integer NOT NULL,
	"views" integer NOT NULL,
	"completions" integer NOT NULL,
	"audio_plays" integer NOT NULL,
	"stories_read" integer NOT NULL,
	"sessions" integer NOT NULL,
	"session_ms" bigint NOT NULL,
	"session_counts" integer[] NOT NULL,
	CONSTRAINT "analytics_days_category_day_pk" PRIMARY KEY("category","day")
);
--> statement-breakpoint
CREATE TABLE "analytics_last_days" (
	"scope" text NOT NULL,
	"visitor" text NOT NULL,
	"last_day" date NOT NULL,
	CONSTRAINT "analytics_last_days_visitor_scope_pk" PRIMARY KEY("visitor","scope")
);
--> statement-breakpoint
CREATE TABLE "analytics_links" (
	"anon_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"linked_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_reach" (
	"scope" text NOT NULL,
	"last_day" date NOT NULL,
	"visitors" integer NOT NULL,
	CONSTRAINT "analytics_reach_scope_last_day_pk" PRIMARY KEY("scope","last_day")
);
--> statement-breakpoint
CREATE TABLE "analytics_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_watermarks" (
	"name" text PRIMARY KEY NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "playback_meters" (
	"listener_id" text NOT NULL,
	"story_id" uuid NOT NULL,
	"day" date NOT NULL,
	"seconds" double precision DEFAULT 0 NOT NULL,
	"reported_at" timestamp with time zone NOT NULL,
	CONSTRAINT "playback_meters_listener_id_story_id_day_pk" PRIMARY KEY("listener_id","story_id","day")
);
--> statement-breakpoint
ALTER TABLE "daily_aggregates" ADD COLUMN "completed_25" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_aggregates" ADD COLUMN "completed_50" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_aggregates" ADD COLUMN "completed_75" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_aggregates" ADD COLUMN "completed_100" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_aggregates" ADD COLUMN "reached" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_links" ADD CONSTRAINT "analytics_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "playback_meters" ADD CONSTRAINT "playback_meters_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "playback_meters_day" ON "playback_meters" USING btree ("day");--> statement-breakpoint
CREATE INDEX "analytics_events_received" ON "analytics_events" USING brin ("received_at");--> statement-breakpoint
CREATE INDEX "analytics_events_user" ON "analytics_events" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
-- The months around now; the program makes the next ones ahead of time (src/analytics/partitions.ts).
DO $$
DECLARE
  month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
BEGIN
  FOR i IN 0..2 LOOP
    -- A month of which the default partition holds events already stays there.
    BEGIN
      EXECUTE format(
        'CREATE TABLE IF NOT EXISTS analytics_events_%s PARTITION OF analytics_events FOR VALUES FROM (%L) TO (%L)',
        to_char(month + make_interval(months => i), 'YYYY_MM'),
        to_char(month + make_interval(months => i), 'YYYY-MM-DD') || ' 00:00:00+00',
        to_char(month + make_interval(months => i + 1), 'YYYY-MM-DD') || ' 00:00:00+00'
      );
    EXCEPTION WHEN check_violation THEN NULL;
    END;
  END LOOP;
END $$;
