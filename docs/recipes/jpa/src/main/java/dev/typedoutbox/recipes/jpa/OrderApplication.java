package dev.typedoutbox.recipes.jpa;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Takes orders, and tells others of them. */
@SpringBootApplication
public class OrderApplication {
    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(OrderApplication.class, args);
    }
}
