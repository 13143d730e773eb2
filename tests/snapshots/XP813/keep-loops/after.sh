for branch in cuda main; do git checkout $branch; done
