#!/bin/sh
# A bot in shell: it plays the first legal move.
#
#     plyboard play connect-four --opponent "json:sh examples/json_bot.sh"
#
# Messages are single lines without blanks between fields, so `sed` can cut them.

while read -r line; do
    case $line in
    '{"t":"hello",'*) echo '{"t":"hello","version":1,"name":"first move"}' ;;
    '{"t":"game",'*) echo '{"t":"ready"}' ;;
    '{"t":"move",'*)
        id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
        move=$(echo "$line" | sed 's/.*"legal":\["\([^"]*\)".*/\1/')
        echo "{\"t\":\"move\",\"id\":$id,\"move\":\"$move\"}"
        ;;
    '{"t":"quit"}') exit ;;
    esac
done
