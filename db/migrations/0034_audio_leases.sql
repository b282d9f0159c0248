CREATE TABLE "audio_leases" (
	"hash" text PRIMARY KEY NOT NULL,
	"leased_until" timestamp with time zone NOT NULL
);
