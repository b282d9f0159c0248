CREATE TABLE "narration_timings" (
	"narration_id" uuid PRIMARY KEY NOT NULL,
	"text_hash" text NOT NULL,
	"source" text NOT NULL,
	"sentences" integer[] NOT NULL,
	"words" integer[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scripts" (
	"story_id" uuid NOT NULL,
	"text_hash" text NOT NULL,
	"script" text NOT NULL,
	"made_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scripts_story_id_text_hash_pk" PRIMARY KEY("story_id","text_hash")
);
--> statement-breakpoint
ALTER TABLE "narrations" ADD COLUMN "job_id" uuid;--> statement-breakpoint
ALTER TABLE "narrations" ADD COLUMN "spoken_characters" integer;--> statement-breakpoint
ALTER TABLE "narrations" ADD COLUMN "cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "narration_timings" ADD CONSTRAINT "narration_timings_narration_id_narrations_id_fk" FOREIGN KEY ("narration_id") REFERENCES "public"."narrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scripts" ADD CONSTRAINT "scripts_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "narrations" ADD CONSTRAINT "narrations_job_id_unique" UNIQUE("job_id");