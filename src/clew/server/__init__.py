"""The server: tables for people who are not in one room. Nothing that was seen is lost, nothing hidden is sent."""
