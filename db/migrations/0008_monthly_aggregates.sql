CREATE TABLE "monthly_aggregates" (
	"month" date NOT NULL,
	"content_id" text NOT NULL,
	"views" integer NOT NULL,
	"time_ms" bigint NOT NULL,
	"completed_25" integer NOT NULL,
	"completed_50" integer NOT NULL,
	"completed_75" integer NOT NULL,
	"completed_100" integer NOT NULL,
	CONSTRAINT "monthly_aggregates_month_content_id_pk" PRIMARY KEY("month","content_id")
);
--> statement-breakpoint
INSERT INTO "monthly_aggregates" ("month", "content_id", "views", "time_ms", "completed_25", "completed_50", "completed_75", "completed_100")
SELECT date_trunc('month', "date")::date, "content_id", sum("total_views"), sum("total_time_ms"), sum("completed_25"), sum("completed_50"), sum("completed_75"), sum("completed_100")
FROM "daily_aggregates" GROUP BY 1, 2;
