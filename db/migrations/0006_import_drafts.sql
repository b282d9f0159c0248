CREATE TABLE "import_draft_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"draft_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"state" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"hash" text,
	"extension" text,
	"duration_seconds" double precision,
	"heard" jsonb,
	"problem" text,
	CONSTRAINT "import_draft_files_name" UNIQUE("draft_id","file_name")
);
--> statement-breakpoint
CREATE TABLE "import_draft_rows" (
	"draft_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"cells" jsonb NOT NULL,
	CONSTRAINT "import_draft_rows_draft_id_row_pk" PRIMARY KEY("draft_id","row")
);
--> statement-breakpoint
CREATE TABLE "import_drafts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"file_name" text,
	"row_count" integer DEFAULT 0 NOT NULL,
	"job_id" uuid,
	"import_id" uuid,
	"outcome" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "import_draft_files" ADD CONSTRAINT "import_draft_files_draft_id_import_drafts_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."import_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_draft_rows" ADD CONSTRAINT "import_draft_rows_draft_id_import_drafts_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."import_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_draft_files_hash" ON "import_draft_files" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "import_drafts_owner" ON "import_drafts" USING btree ("owner","updated_at");