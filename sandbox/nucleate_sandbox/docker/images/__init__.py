"""The sandbox images: assembled from this machine's interpreter, named by what is in them."""
