package dev.typedoutbox.standalone;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;

/** A data source that says where it did not get to, and why: a pool tells only how long it waited. */
final class ExplainedDataSource {
    private ExplainedDataSource() {}

    static DataSource of(DataSource dataSource, String address) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return method.invoke(dataSource, arguments);
            } catch (InvocationTargetException e) {
                throw method.getName().equals("getConnection") && e.getCause() instanceof SQLException failure
                        ? explained(failure, address)
                        : e.getCause();
            }
        };
        return (DataSource) Proxy.newProxyInstance(
                ExplainedDataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
    }

    private static SQLException explained(SQLException failure, String address) {
        return new SQLTransientConnectionException(
                "no connection to PostgreSQL at " + address + ": " + Reason.ofRoot(failure),
                failure.getSQLState(),
                failure);
    }
}
