import { Text } from '@mantine/core'

/** An empty list that is one of several on a page, in one line. */
export const Nothing = ({ children }: { children: string }) => <Text fw={600}>{children}</Text>
