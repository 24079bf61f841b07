import basics from './basics.module.css'
import classes from './Statistics.module.css'

const figures = [
  { figure: '80%', meaning: 'average savings' },
  { figure: '250+ €', meaning: 'yearly savings' },
  { figure: '5 min', meaning: 'setup' },
]

export function Statistics() {
  return (
    <section className={classes.band} aria-label="In figures">
      <div className={basics.container}>
        <dl className={classes.figures}>
          {figures.map(({ figure, meaning }) => (
            <div key={meaning} className={classes.one}>
              <dt>{meaning}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
