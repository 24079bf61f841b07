import { Text, type TextProps } from '@mantine/core'

/** A person's text: in the direction of its language, with its line breaks, and never wider than its container. */
export const FormattedText = (props: TextProps & { children: string | null }) => (
  <Text dir="auto" {...props} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} />
)
