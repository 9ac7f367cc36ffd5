package dev.typedoutbox.recipes.jpa;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import jakarta.persistence.EntityManager;
import java.util.UUID;
import org.hibernate.Session;
import org.springframework.stereotype.Component;

/** Writes events on the connection of the entity manager's transaction. */
@Component
class JpaOutbox {
    private final Outbox outbox = Outbox.create();
    private final EntityManager entityManager;

    JpaOutbox(EntityManager entityManager) {
        this.entityManager = entityManager;
    }

    UUID publish(NewEvent event) {
        return entityManager.unwrap(Session.class).doReturningWork(tx -> outbox.publish(tx, event));
    }
}
