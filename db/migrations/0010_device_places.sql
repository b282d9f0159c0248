ALTER TABLE "device_positions" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "device_positions" ADD COLUMN "total_sec" double precision;