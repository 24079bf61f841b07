import { t } from '@lingui/core/macro'
import { Alert, type AlertProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { paymentProviderQuery } from '#lib/payments.ts'
import classes from './SimulationNotice.module.css'

/** A notice that no real money moves; shown only in the simulation. */
export function SimulationNotice(space: Pick<AlertProps, 'mb'>) {
  const { data } = useQuery(paymentProviderQuery)
  if (data?.provider !== 'simulated') return null
  return (
    <Alert color="honey" title={t`Simulation`} py="xs" classNames={{ body: classes.line }} {...space}>
      {t`No real money or cards are used.`}
    </Alert>
  )
}
