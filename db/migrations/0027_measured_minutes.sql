-- Empty at first: a generated column would rewrite the table. 0029 has its triggers, 0030 fills it.
ALTER TABLE "stories" ADD COLUMN "minutes" integer;
