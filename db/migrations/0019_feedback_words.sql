-- story_feedback_words: made while everybody works, by 0030.
SELECT 1;
