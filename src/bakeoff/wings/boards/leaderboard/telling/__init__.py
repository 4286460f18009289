"""What a leaderboard may say."""
