"""The wing *guard*: is a new build worse? Two builds, commands timed side by side, a history of builds."""
