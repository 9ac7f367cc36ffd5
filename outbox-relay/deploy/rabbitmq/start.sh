#!/bin/sh
# Starts the broker of compose.yaml with one user, whose password is in a secret, one exchange, and one queue that takes
# everything. RabbitMQ reads a password from its configuration only, so that is written here.
set -eu

# For JSON.
password=$(sed 's/[\\"]/\\&/g' /run/secrets/amqp)
definitions=/etc/rabbitmq/definitions.json

(umask 077 && cat > "$definitions") <<END
{
  "vhosts": [{"name": "/"}],
  "users": [{"name": "outbox", "password": "$password", "tags": "administrator"}],
  "permissions": [{"user": "outbox", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}],
  "exchanges": [
    {"name": "events", "vhost": "/", "type": "topic", "durable": true, "auto_delete": false, "internal": false,
     "arguments": {}}
  ],
  "queues": [
    {"name": "everything", "vhost": "/", "durable": true, "auto_delete": false,
     "arguments": {"x-queue-type": "quorum"}}
  ],
  "bindings": [
    {"source": "events", "vhost": "/", "destination": "everything", "destination_type": "queue", "routing_key": "#",
     "arguments": {}}
  ]
}
END
chown rabbitmq "$definitions"
echo "load_definitions = $definitions" > /etc/rabbitmq/conf.d/90-definitions.conf
chown rabbitmq /etc/rabbitmq/conf.d/90-definitions.conf

exec docker-entrypoint.sh rabbitmq-server
