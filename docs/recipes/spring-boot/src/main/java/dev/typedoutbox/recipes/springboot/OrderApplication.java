package dev.typedoutbox.recipes.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Takes orders, tells others of them, and ships them. */
@SpringBootApplication
public class OrderApplication {
    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(OrderApplication.class, args);
    }
}
