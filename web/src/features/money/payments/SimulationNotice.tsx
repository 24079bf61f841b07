import { Alert, type AlertProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { providerQuery } from './provider.queries.ts'

/** Says that no money moves; shown only in the simulation. */
export function SimulationNotice(space: Pick<AlertProps, 'mb'>) {
  const { data } = useQuery(providerQuery)
  if (data?.provider !== 'simulated') return null
  return (
    <Alert color="honey" title="Simulation" {...space}>
      No real money or cards are used.
    </Alert>
  )
}
