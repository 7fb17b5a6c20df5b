/** The script of the page without a connection. It loads the page that the reader wanted as soon as the service answers. */
const EVERY_MS = 5_000;

async function tryAgain() {
  const response = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (response !== null) location.reload();
}

document.getElementById('again').addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});
addEventListener('online', tryAgain);
setInterval(tryAgain, EVERY_MS);
