"""nulls"""
