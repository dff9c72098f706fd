"""Fitting the weights of evaluations."""
