"""The gate's second half: could people be found in what is to be released?"""
