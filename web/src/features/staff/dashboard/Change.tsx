import { Text } from '@mantine/core'
import { formatGrowth } from '#domain/growth.ts'

/** A change in percent, green when it went up and red when it went down; the sign says the same. */
export function Change({ percent }: { percent: number }) {
  const color = percent > 0 ? 'herb' : percent < 0 ? 'beet' : undefined
  return (
    <Text
      component="span"
      inherit
      fw={650}
      {...(color && { c: `var(--mantine-color-${color}-text)` })}
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {formatGrowth(percent)}
    </Text>
  )
}
