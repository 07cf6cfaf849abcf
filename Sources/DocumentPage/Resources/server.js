// Requests to the program that serves the page.

// A request that failed: with the program's sentence, and the status; 0 where there was no connection.
export class RequestError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function answer(request) {
  let response;
  try { response = await request; } catch {
    throw new RequestError('There is no connection to docversions.', 0);
  }
  if (!response.ok) throw new RequestError(await response.text(), response.status);
  return response.status === 204 ? null : response.json();
}

// A space is %20: only forms may write it as a plus sign.
const address = (path, parameters) =>
  `/api/${path}?${String(new URLSearchParams(parameters)).replaceAll('+', '%20')}`;

export const get = (path, parameters = {}) => answer(fetch(address(path, parameters)));

export const post = (path, body) => answer(fetch(`/api/${path}`, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
}));

export const imageAddress = (document, version = '', member = '') => address('image', { document, version, member });

// Follows the folder and a document, and calls handlers.list, .document, .refused and .connected(isConnected).
// Returns a function that ends it.
export function follow(document, handlers) {
  let source;
  let timer;
  let pause = 500;
  let isEnded = false;
  const open = () => {
    source = new EventSource(address('events', { document }));
    source.onopen = () => { pause = 500; handlers.connected(true); };
    source.onerror = () => {
      source.close();
      if (isEnded) return;
      handlers.connected(false);
      timer = setTimeout(open, pause);
      pause = Math.min(pause * 2, 10000);
    };
    for (const name of ['list', 'document', 'refused']) {
      source.addEventListener(name, (event) => handlers[name](JSON.parse(event.data)));
    }
  };
  open();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    source.close();
  };
}
