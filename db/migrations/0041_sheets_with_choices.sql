ALTER TABLE "import_draft_rows" ADD COLUMN "sheet" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "import_draft_rows" ADD COLUMN "sheet_row" integer;--> statement-breakpoint
ALTER TABLE "import_draft_rows" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "import_drafts" ADD COLUMN "found" jsonb;--> statement-breakpoint
ALTER TABLE "import_drafts" ADD COLUMN "choices" jsonb DEFAULT '{}'::jsonb NOT NULL;