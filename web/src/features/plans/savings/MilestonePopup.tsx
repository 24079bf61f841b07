import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { milestonesReached } from '#domain/savings.ts'
import { local, readJson, storageKeys, write } from '#lib/storage.ts'
import { headings, leastCovering } from '#ui/least-covering.ts'
import { Mascot } from '#ui/Mascot.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './MilestonePopup.module.css'

/** The time a milestone is shown, in ms. */
const SHOWN_FOR = 3000

/** Celebrated amounts in EUR by user id, since several people may use this browser. */
const celebratedSchema = z.catch(z.record(z.string(), z.array(z.number())), {})

const recall = () => readJson(local, storageKeys.celebratedMilestones, (kept) => celebratedSchema.parse(kept))

function rememberCelebrated(userId: string, amount: number): void {
  const all = recall()
  const amounts = [...new Set([...(all[userId] ?? []), amount])]
  write(local, storageKeys.celebratedMilestones, JSON.stringify({ ...all, [userId]: amounts }))
}

/** The lowest position, in px from the bottom of the window: just above a phone's bottom bar. */
const LOWEST = 84

/** The distance between the positions that are tried, in px. */
const STEP = 12

/** The position where the popup covers the fewest headings, footer links and cards, in px from the bottom. */
function freePlace({ left, right, height }: DOMRect): number {
  const steps = Math.max(1, Math.floor((window.innerHeight - LOWEST - 64 - height) / STEP))
  const places = Array.from({ length: steps }, (_, step) => {
    const up = LOWEST + step * STEP
    const bottom = window.innerHeight - up
    return [up, { left, right, top: bottom - height, bottom }]
  })
  const spare = ['footer a', 'main section'].map((like) => [...document.querySelectorAll(like)])
  return Number(leastCovering(Object.fromEntries(places), [headings(), ...spare]))
}

interface MilestonePopupProps {
  userId: string
  /** EUR. */
  total: number
}

/** Celebrates each milestone once, one after the other, without blocking the page beneath. */
export function MilestonePopup({ userId, total }: MilestonePopupProps) {
  // The celebrated amounts are also kept in memory: without storage, each milestone is celebrated once per visit.
  const [celebrated, setCelebrated] = useState(() => recall()[userId] ?? [])
  const milestone = milestonesReached(total).find(({ amount }) => !celebrated.includes(amount))
  const amount = milestone?.amount
  useEffect(() => {
    if (amount === undefined) return
    rememberCelebrated(userId, amount)
    const timer = setTimeout(() => setCelebrated((others) => [...others, amount]), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [userId, amount])

  const popup = useRef<HTMLDivElement>(null)
  const [bottom, setBottom] = useState(LOWEST)
  useLayoutEffect(() => {
    const shown = popup.current
    if (amount === undefined || !shown) return
    const place = () => setBottom(freePlace(shown.getBoundingClientRect()))
    place()
    // Figures that load later move the headings, so the popup's position is computed again.
    const grown = new ResizeObserver(place)
    grown.observe(shown.closest('main') ?? document.body)
    return () => grown.disconnect()
  }, [amount])

  return (
    <div role="status" className={classes.place} style={{ bottom }}>
      {milestone && (
        <div key={milestone.amount} ref={popup} className={classes.popup}>
          <Mascot mood="sparkling" size={64} />
          <div>
            <Text size="sm" c="dimmed">
              {t`Milestone reached`}
            </Text>
            <Text className={classes.title}>{milestone.title}</Text>
            <Text size="sm">
              <Trans>
                <Money amount={milestone.amount} fw={650} /> total saved, a six-month estimate
              </Trans>
            </Text>
          </div>
        </div>
      )}
    </div>
  )
}
