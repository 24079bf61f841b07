import { Text, type TextProps } from '@mantine/core'

/** What somebody wrote: in the direction of its language, with their line breaks, and never wider than its place. */
export const FormattedText = (props: TextProps & { children: string | null }) => (
  <Text dir="auto" {...props} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} />
)
