import { Progress, type ProgressRootProps } from '@mantine/core'
import { type CapacityTone, capacityPercent, capacityTone } from '#domain/slots.ts'

const COLORS: Record<CapacityTone, string> = { green: 'herb', blue: 'blue', amber: 'honey', red: 'beet' }

interface CapacityBarProps extends ProgressRootProps {
  places: Parameters<typeof capacityPercent>[0]
  name: { 'aria-label': string } | { 'aria-labelledby': string }
}

/** A bar of the plan's taken places, in a colour that warns as it fills up. */
export function CapacityBar({ places, name, ...root }: CapacityBarProps) {
  const percent = capacityPercent(places)
  const tone = capacityTone(percent)
  return (
    <Progress.Root {...root}>
      <Progress.Section value={percent} color={COLORS[tone]} data-tone={tone} {...name} />
    </Progress.Root>
  )
}
