CREATE TABLE "guideline_decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"door" text NOT NULL,
	"story_id" uuid,
	"rule_id" text NOT NULL,
	"rule_version" integer NOT NULL,
	"severity" text NOT NULL,
	"decision" text NOT NULL,
	"places" jsonb NOT NULL,
	"text_hash" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "model_config" ADD COLUMN "openai_api_url" text;--> statement-breakpoint
ALTER TABLE "model_config" ADD COLUMN "openai_model_name" text;--> statement-breakpoint
ALTER TABLE "content_guidelines" ADD COLUMN "allowed" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_guidelines" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "stories" ADD COLUMN "held_from" text;--> statement-breakpoint
CREATE INDEX "guideline_decisions_story" ON "guideline_decisions" USING btree ("story_id","at");--> statement-breakpoint
CREATE INDEX "guideline_decisions_at" ON "guideline_decisions" USING btree ("at");