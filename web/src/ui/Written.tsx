import { Text, type TextProps } from '@mantine/core'

/**
 * A text written by a person: in the direction of its language, with its line breaks, and never wider than its
 * container.
 */
export const Written = (props: TextProps & { children: string | null }) => (
  <Text dir="auto" {...props} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} />
)
