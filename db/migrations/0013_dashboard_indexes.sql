-- analytics_reach_counts and daily_aggregates_sums: made while everybody works, by 0030.
SELECT 1;
